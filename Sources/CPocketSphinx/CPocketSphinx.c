#include "CPocketSphinx.h"

#include <pocketsphinx.h>
#include <sphinxbase/err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct vg_decoder {
    ps_decoder_t *engine;
    cmd_ln_t *configuration;
};

static vg_log_handler log_handler;

static void forward(void *context, err_lvl_t level, const char *format, ...) {
    (void)context;
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (log_handler) log_handler((int)level, line);
}

void vg_decoder_log(vg_log_handler handler) {
    log_handler = handler;
    // The configuration would be printed there, once for each decoder.
    err_set_logfp(NULL);
    err_set_callback(forward, NULL);
}

vg_decoder *vg_decoder_open(int count, char *const arguments[]) {
    vg_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    // The library keeps the array's strings by copy and does not write to it, though its type does not say so.
    decoder->configuration = cmd_ln_parse_r(NULL, ps_args(), count, (char **)arguments, TRUE);
    if (decoder->configuration) decoder->engine = ps_init(decoder->configuration);
    if (!decoder->engine) {
        vg_decoder_close(decoder);
        return NULL;
    }
    return decoder;
}

void vg_decoder_close(vg_decoder *decoder) {
    if (!decoder) return;
    if (decoder->engine) ps_free(decoder->engine);
    if (decoder->configuration) cmd_ln_free_r(decoder->configuration);
    free(decoder);
}

int vg_decoder_begin(vg_decoder *decoder) {
    // Frame numbers count from here, and the noise estimate of the last utterance is dropped.
    if (ps_start_stream(decoder->engine) < 0) return -1;
    return ps_start_utt(decoder->engine);
}

int vg_decoder_feed(vg_decoder *decoder, const int16_t *samples, size_t count) {
    return ps_process_raw(decoder->engine, samples, count, FALSE, FALSE) < 0 ? -1 : 0;
}

int vg_decoder_end(vg_decoder *decoder) { return ps_end_utt(decoder->engine); }

int vg_decoder_whole(vg_decoder *decoder, const int16_t *samples, size_t count) {
    if (vg_decoder_begin(decoder) < 0) return -1;
    int result = ps_process_raw(decoder->engine, samples, count, FALSE, TRUE) < 0 ? -1 : 0;
    return ps_end_utt(decoder->engine) < 0 ? -1 : result;
}

const char *vg_decoder_text(vg_decoder *decoder) { return ps_get_hyp(decoder->engine, NULL); }

void vg_decoder_segments(vg_decoder *decoder, void *context, void (*handler)(void *context, const vg_segment *segment)) {
    logmath_t *math = ps_get_logmath(decoder->engine);
    for (ps_seg_t *entry = ps_seg_iter(decoder->engine); entry; entry = ps_seg_next(entry)) {
        vg_segment segment = {.word = ps_seg_word(entry)};
        ps_seg_frames(entry, &segment.first, &segment.last);
        segment.posterior = logmath_exp(math, ps_seg_prob(entry, NULL, NULL, NULL));
        handler(context, &segment);
    }
}
