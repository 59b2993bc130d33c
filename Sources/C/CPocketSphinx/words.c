#include "words.h"

#include "engine.h"
#include "memory_file.h"

#include <flite/flite.h>
#include <math.h>
#include <pocketsphinx.h>
#include <sphinxbase/ckd_alloc.h>
#include <sphinxbase/ngram_model.h>
#include <string.h>
#include <unistd.h>

static ngram_model_t *read_model(ps_decoder_t *engine, const void *arpa, size_t length) {
    int descriptor = vg_memory_file(arpa, length);
    if (descriptor < 0) return NULL;
    char name[vg_memory_file_name_length];
    vg_memory_file_name(descriptor, name);
    ngram_model_t *model = ngram_model_read(ps_get_config(engine), name, NGRAM_ARPA, ps_get_logmath(engine));
    close(descriptor);
    return model;
}

// The set interpolates probabilities that are already raised to the language weight, so its weights must be, too. With an
// unraised share of 0.1 the text's words outweigh all others.
static float raised(ps_decoder_t *engine, double share) {
    return (float)pow(share, cmd_ln_float_r(ps_get_config(engine), "-lw"));
}

static int references(ngram_model_t *model) {
    ngram_model_retain(model);
    return ngram_model_free(model);
}

// The caller owns both models before and after.
static ngram_model_t *blend(ps_decoder_t *engine, ngram_model_t *own, ngram_model_t *users, double share) {
    ngram_model_t *models[] = {own, users};
    char *names[] = {"own", "users"};
    const float weights[] = {raised(engine, 1 - share), raised(engine, share)};
    int before = references(users);
    ngram_model_t *set = ngram_model_set_init(ps_get_config(engine), models, names, weights, 2);
    // Some versions of the library take ownership of the models, others retain them.
    if (set && references(users) == before) {
        ngram_model_retain(own);
        ngram_model_retain(users);
    }
    return set;
}

static int use(ps_decoder_t *engine, ngram_model_t *model) {
    return ps_set_lm(engine, vg_default_search, model) < 0 ? -1 : ps_set_search(engine, vg_default_search);
}

int vg_decoder_learn(vg_decoder *decoder, int count, const vg_pronunciation words[], const void *arpa, size_t length,
                     double share) {
    ps_decoder_t *engine = vg_decoder_engine(decoder);
    ngram_model_t *own = ps_get_lm(engine, vg_default_search);
    if (!own) return -1;
    ngram_model_t *users = read_model(engine, arpa, length);
    if (!users) return -1;
    // Without a search, words are added to the dictionary alone. Otherwise the model's own search would give each the
    // probability of a rare word, and the old and the new search would be in memory at once.
    own = ngram_model_retain(own);
    ps_unset_search(engine, vg_default_search);
    for (int index = 0; index < count; index++)
        ps_add_word(engine, words[index].word, words[index].phones, FALSE);
    ngram_model_t *set = blend(engine, own, users, share);
    int result = set ? use(engine, set) : -1;
    if (result < 0 && use(engine, own) < 0) result = -2;
    // The search retains what it uses.
    if (set) ngram_model_free(set);
    ngram_model_free(users);
    ngram_model_free(own);
    return result;
}

char *vg_decoder_phones(vg_decoder *decoder, const char *word) {
    char *phones = ps_lookup_word(vg_decoder_engine(decoder), word);
    char *copy = phones ? strdup(phones) : NULL;
    ckd_free(phones);
    return copy;
}

void vg_decoder_alternatives(vg_decoder *decoder, int most, void *context,
                             int (*handler)(void *context, const char *text)) {
    ps_nbest_t *reading = ps_nbest(vg_decoder_engine(decoder));
    // In 0.8 the iterator is before the first reading, in 5.x on it; skipping one there does no harm.
    if (reading) reading = ps_nbest_next(reading);
    for (int count = 0; reading && count < most; count++) {
        int32 score;
        const char *text = ps_nbest_hyp(reading, &score);
        if (text && !handler(context, text)) break;
        reading = ps_nbest_next(reading);
    }
    if (reading) ps_nbest_free(reading);
}

// In libflite_cmulex, which has no header.
cst_lexicon *cmu_lex_init(void);

void vg_pronounce(const char *word, void *context, void (*handler)(void *context, const char *phone)) {
    cst_val *phones = lex_lookup(cmu_lex_init(), word, NULL, NULL);
    for (const cst_val *phone = phones; phone; phone = val_cdr(phone)) handler(context, val_string(val_car(phone)));
    delete_val(phones);
}
