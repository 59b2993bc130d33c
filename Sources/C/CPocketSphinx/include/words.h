// The user's words in a decoder.
#pragma once
#include "CPocketSphinx.h"

// A word for the dictionary. `phones`: the model's, with a space between two; never empty. Further pronunciations of a
// word are entries of their own, `word(2)` and so on, after it.
typedef struct {
    const char *word;
    const char *phones;
} vg_pronunciation;

// Adds words to the dictionary, and blends a language model with the model's own: ARPA text that ends with \end\ and whose
// counts are right, or the library ends the process. `share`: how much of the probability comes from the text's model,
// between 0 and 1. Must not be called while an utterance is begun. The decoder stays usable when it fails, with fewer
// words. 0, or negative.
int vg_decoder_learn(vg_decoder *decoder, int count, const vg_pronunciation words[], const void *arpa, size_t length,
                     double share);

// The phones of a word, or NULL when the dictionary has none of it. To be freed by the caller.
char *vg_decoder_phones(vg_decoder *decoder, const char *word);

// Calls the handler for other readings of the ended utterance, the best first, at most `most` times; the first may be the
// text itself, and readings that differ in silences alone come more than once. The handler returns 0 to have no more.
void vg_decoder_alternatives(vg_decoder *decoder, int most, void *context,
                             int (*handler)(void *context, const char *text));

// How an English word sounds, by a lexicon's letter-to-sound rules: calls the handler for each of its phones in the
// lexicon's notation (`ax0`, `k`). `word`: letters a to z and apostrophes. Not to be called on two threads at a time.
void vg_pronounce(const char *word, void *context, void (*handler)(void *context, const char *phone));
