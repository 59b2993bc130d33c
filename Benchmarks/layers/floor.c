// The library alone: decodes each raw file (16 kHz mono) as one utterance, 20 ms at a time, asks for the text every 120 ms, and
// prints the CPU seconds that all took after the model was loaded.
// floor HMM LM DICT FILE… -- OPTION VALUE…
#include <pocketsphinx.h>
#include <sphinxbase/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { piece = 320, pieces_a_look = 6 };

static double cpu(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int decode(ps_decoder_t *engine, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return -1;
    int16 samples[piece];
    size_t count;
    ps_start_stream(engine);
    ps_start_utt(engine);
    for (int turn = 1; (count = fread(samples, sizeof *samples, piece, file)) > 0; turn++) {
        ps_process_raw(engine, samples, count, FALSE, FALSE);
        if (turn % pieces_a_look == 0) ps_get_hyp(engine, NULL);
    }
    fclose(file);
    ps_end_utt(engine);
    for (ps_seg_t *entry = ps_seg_iter(engine); entry; entry = ps_seg_next(entry)) ps_seg_prob(entry, NULL, NULL, NULL);
    return 0;
}

int main(int argc, char *argv[]) {
    if (argc < 6) return 64;
    char *options[64] = {"floor", "-hmm", argv[1], "-lm", argv[2], "-dict", argv[3]};
    int count = 7, files = 4;
    while (files < argc && strcmp(argv[files], "--") != 0) files++;
    for (int index = files + 1; index < argc && count < 64; index++) options[count++] = argv[index];
    err_set_logfp(NULL);
    cmd_ln_t *configuration = cmd_ln_parse_r(NULL, ps_args(), count, options, TRUE);
    ps_decoder_t *engine = configuration ? ps_init(configuration) : NULL;
    if (!engine) return 69;
    double start = cpu();
    for (int index = 4; index < files; index++)
        if (decode(engine, argv[index]) < 0) return 66;
    printf("%.3f\n", cpu() - start);
    return 0;
}
