#include "grammar.h"

#include "engine.h"

#include <sphinxbase/fsg_model.h>

// The graph is built arc by arc: the library's parser of grammars prints to standard output and has ended processes.
int vg_decoder_expect_graph(vg_decoder *decoder, int states, int count, const vg_arc arcs[]) {
    static const char name[] = "grammar";
    static const float weight = 6;
    ps_decoder_t *engine = vg_decoder_engine(decoder);
    logmath_t *math = ps_get_logmath(engine);
    fsg_model_t *graph = fsg_model_init(name, math, weight, states);
    if (!graph) return -1;
    graph->start_state = 0;
    graph->final_state = 1;
    for (int index = 0; index < count; index++) {
        const vg_arc *arc = &arcs[index];
        int32 probability = (int32)(logmath_log(math, arc->probability) * weight);
        if (arc->word)
            fsg_model_trans_add(graph, arc->from, arc->to, probability, fsg_model_word_add(graph, arc->word));
        else
            fsg_model_null_trans_add(graph, arc->from, arc->to, probability);
    }
    glist_free(fsg_model_null_trans_closure(graph, NULL));
    // The search retains the graph.
    int result = ps_set_fsg(engine, name, graph);
    fsg_model_free(graph);
    return result < 0 ? -1 : ps_set_search(engine, name);
}
