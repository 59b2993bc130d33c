#include "CVosk.h"
#include "vosk.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define FIELD(name, result, parameters) result(*name) parameters;
static struct {
    VOSK_FUNCTIONS(FIELD)
} library;

static const float rate = 16000;

int vg_vosk_load(const char *path, char message[], size_t length) {
    // The library's linear algebra would start a thread for each processor, and live sessions share the machine.
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    // Never unloaded: the library has static objects.
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(message, length, "%s", dlerror());
        return -1;
    }
    const char *missing = NULL;
#define RESOLVE(name, result, parameters)                                                                              \
    *(void **)&library.name = dlsym(handle, #name);                                                                    \
    if (!library.name) missing = #name;
    VOSK_FUNCTIONS(RESOLVE)
    if (missing) {
        snprintf(message, length, "%s has no %s", path, missing);
        return -1;
    }
    // Errors and warnings alone.
    library.vosk_set_log_level(-1);
    return 0;
}

vg_vosk_model *vg_vosk_model_open(const char *folder) { return library.vosk_model_new(folder); }

void vg_vosk_model_close(vg_vosk_model *model) { library.vosk_model_free(model); }

int vg_vosk_model_knows(vg_vosk_model *model, const char *word) { return library.vosk_model_find_word(model, word) >= 0; }

vg_vosk_recognizer *vg_vosk_recognizer_open(vg_vosk_model *model, const char *grammar, int alternatives) {
    void *recognizer =
        grammar ? library.vosk_recognizer_new_grm(model, rate, grammar) : library.vosk_recognizer_new(model, rate);
    if (!recognizer) return NULL;
    library.vosk_recognizer_set_max_alternatives(recognizer, alternatives);
    library.vosk_recognizer_set_words(recognizer, 1);
    return recognizer;
}

void vg_vosk_recognizer_close(vg_vosk_recognizer *recognizer) { library.vosk_recognizer_free(recognizer); }

int vg_vosk_recognizer_take(vg_vosk_recognizer *recognizer, const int16_t samples[], int count) {
    return library.vosk_recognizer_accept_waveform_s(recognizer, samples, count);
}

const char *vg_vosk_recognizer_result(vg_vosk_recognizer *recognizer) {
    return library.vosk_recognizer_result(recognizer);
}

const char *vg_vosk_recognizer_partial(vg_vosk_recognizer *recognizer) {
    return library.vosk_recognizer_partial_result(recognizer);
}

const char *vg_vosk_recognizer_final(vg_vosk_recognizer *recognizer) {
    return library.vosk_recognizer_final_result(recognizer);
}
