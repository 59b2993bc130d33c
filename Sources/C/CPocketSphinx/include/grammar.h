// Grammars in a decoder.
#pragma once
#include "CPocketSphinx.h"

// From one state of a grammar to another, by saying the word, or nothing when it is NULL.
typedef struct {
    int from;
    int to;
    const char *word;
    double probability;   // More than 0, at most 1.
} vg_arc;

// From now on an utterance as a whole is decoded as a way through the graph from state 0 to state 1, whatever was said;
// `vg_decoder_expect_anything` ends that. Every word must be in the dictionary, every state below `states`. 0, or negative
// when the library refuses.
int vg_decoder_expect_graph(vg_decoder *decoder, int states, int count, const vg_arc arcs[]);
