// The user's words in a decoder.
#pragma once
#include "CPocketSphinx.h"

// A word for the dictionary. `phones`: the model's, separated by spaces; never empty. Further pronunciations of a word are
// separate entries, `word(2)` and so on, after it.
typedef struct {
    const char *word;
    const char *phones;
} vg_pronunciation;

// Adds words to the dictionary, and interpolates a language model with the model's own: ARPA text that ends with \end\ and
// has correct counts, or the library ends the process. `share`: how much of the probability comes from the text's model,
// between 0 and 1. Must not be called during an utterance. The decoder stays usable when it fails, with fewer
// words. 0, or negative.
int vg_decoder_learn(vg_decoder *decoder, int count, const vg_pronunciation words[], const void *arpa, size_t length,
                     double share);

// The phones of a word, or NULL when it is not in the dictionary. The caller frees them.
char *vg_decoder_phones(vg_decoder *decoder, const char *word);

// Calls the handler for other readings of the ended utterance, the best first, at most `most` times; the first may be the
// text itself, and readings that differ in silences alone come more than once. The handler returns 0 to stop.
void vg_decoder_alternatives(vg_decoder *decoder, int most, void *context,
                             int (*handler)(void *context, const char *text));

// Pronounces an English word by a lexicon's letter-to-sound rules: calls the handler for each phone in the lexicon's
// notation (`ax0`, `k`). `word`: letters a to z and apostrophes. Not thread-safe.
void vg_pronounce(const char *word, void *context, void (*handler)(void *context, const char *phone));
