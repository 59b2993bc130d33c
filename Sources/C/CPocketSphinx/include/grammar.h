// Grammars in a decoder.
#pragma once
#include "CPocketSphinx.h"

// From one state of a grammar to another with a word, or without one when it is NULL.
typedef struct {
    int from;
    int to;
    const char *word;
    double probability;   // More than 0, at most 1.
} vg_arc;

// Decodes later whole utterances as a path through the graph from state 0 to state 1, whatever was said, until
// `vg_decoder_expect_anything`. Every word must be in the dictionary, every state below `states`. 0, or negative when the
// library refuses.
int vg_decoder_expect_graph(vg_decoder *decoder, int states, int count, const vg_arc arcs[]);
