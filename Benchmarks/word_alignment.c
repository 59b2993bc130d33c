// Forced alignment: reads lines "FILE<tab>words", prints "FILE<tab>word start end;…" in seconds.
//
// The search knows the words alone, each once and in order, with any of its pronunciations and with silence where there
// is some; the beams are so wide that nothing is given up early.
#include <pocketsphinx.h>
#include <sphinxbase/ckd_alloc.h>
#include <sphinxbase/err.h>
#include <sphinxbase/fsg_model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { longest_line = 1 << 16, most_words = 2000, header = 44 };

static int16 *samples_of(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long skip = strstr(path, ".wav") ? header : 0, length = ftell(file) - skip;
    int16 *samples = length > 0 ? malloc((size_t)length) : NULL;
    fseek(file, skip, SEEK_SET);
    *count = samples ? fread(samples, sizeof *samples, (size_t)length / sizeof *samples, file) : 0;
    fclose(file);
    return samples;
}

static int knows(ps_decoder_t *decoder, const char *word) {
    char *phones = ps_lookup_word(decoder, word);
    ckd_free(phones);
    return phones != NULL;
}

static void align(ps_decoder_t *decoder, const char *path, char *text) {
    char *words[most_words];
    int count = 0;
    for (char *word = strtok(text, " "); word && count < most_words; word = strtok(NULL, " ")) {
        if (!knows(decoder, word)) {
            fprintf(stderr, "%s: the dictionary has no “%s”\n", path, word);
            return;
        }
        words[count++] = word;
    }
    fsg_model_t *graph = fsg_model_init("words", ps_get_logmath(decoder), 1, count + 1);
    graph->start_state = 0;
    graph->final_state = count;
    for (int index = 0; index < count; index++)
        fsg_model_trans_add(graph, index, index + 1, 0, fsg_model_word_add(graph, words[index]));
    ps_set_fsg(decoder, "words", graph);
    fsg_model_free(graph);
    ps_set_search(decoder, "words");

    size_t length;
    int16 *samples = samples_of(path, &length);
    if (!samples) return;
    ps_start_stream(decoder);
    ps_start_utt(decoder);
    ps_process_raw(decoder, samples, length, FALSE, TRUE);
    ps_end_utt(decoder);
    free(samples);
    int found = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            if (found != count) return;
            printf("%s\t", path);
        }
        for (ps_seg_t *entry = ps_seg_iter(decoder); entry; entry = ps_seg_next(entry)) {
            const char *word = ps_seg_word(entry);
            if (strchr("<[+", word[0])) continue;
            int first, last;
            ps_seg_frames(entry, &first, &last);
            if (pass == 0) found++;
            else printf("%s %.2f %.2f;", word, first / 100.0, (last + 1) / 100.0);
        }
    }
    printf("\n");
}

int main(void) {
    char *arguments[] = {
        "word_alignment", "-hmm", "/usr/share/pocketsphinx/model/en-us/en-us",
        "-dict", "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict", "-remove_silence", "no",
        "-beam", "1e-100", "-pbeam", "1e-100", "-wbeam", "1e-100", "-compallsen", "yes", "-bestpath", "no",
        "-lw", "1", "-wip", "1", "-silprob", "0.1", "-fillprob", "1e-10",
    };
    err_set_logfp(NULL);
    cmd_ln_t *configuration = cmd_ln_parse_r(NULL, ps_args(), sizeof arguments / sizeof *arguments, arguments, TRUE);
    ps_decoder_t *decoder = ps_init(configuration);
    if (!decoder) return 1;
    static char line[longest_line];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *tab = strchr(line, '\t');
        if (!tab) continue;
        *tab = 0;
        align(decoder, line, tab + 1);
    }
    ps_free(decoder);
    cmd_ln_free_r(configuration);
    return 0;
}
