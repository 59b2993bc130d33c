// The part of Vosk that VoiceGate uses, loaded at run time by path: the library comes with an engine, not with the package. One
// library in a process. A model may be used by several threads, a recognizer by one at a time.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct vg_vosk_model vg_vosk_model;
typedef struct vg_vosk_recognizer vg_vosk_recognizer;

// Loads libvosk.so. Returns 0, or -1 with the reason in `message`: it cannot be loaded, or a function is missing. Call it once,
// before any other function and before the process has threads (it sets an environment variable).
int vg_vosk_load(const char *path, char message[], size_t length);

// The model in a folder. NULL if the library refuses it. It must outlive its recognizers.
vg_vosk_model *vg_vosk_model_open(const char *folder);
void vg_vosk_model_close(vg_vosk_model *model);

// Whether the model can recognise the word: 1 or 0.
int vg_vosk_model_knows(vg_vosk_model *model, const char *word);

// Recognises speech at 16 kHz. `grammar`: a JSON array of sentences, or NULL for any speech; a model with a static graph
// (HCLG.fst) ignores it. With `alternatives` of more than 0, results have that many readings and no confidences of words. NULL if
// the library refuses.
vg_vosk_recognizer *vg_vosk_recognizer_open(vg_vosk_model *model, const char *grammar, int alternatives);
void vg_vosk_recognizer_close(vg_vosk_recognizer *recognizer);

// Decodes the next samples. 1 at a pause: take `vg_vosk_recognizer_result` before more is fed. 0 otherwise; negative if the
// library failed.
int vg_vosk_recognizer_take(vg_vosk_recognizer *recognizer, const int16_t samples[], int count);

// What was recognised, as JSON in UTF-8: since the last pause at a pause, so far, and to the end. Valid until the next call with
// this recognizer. NULL if the library failed. Times are seconds since the first sample.
const char *vg_vosk_recognizer_result(vg_vosk_recognizer *recognizer);
const char *vg_vosk_recognizer_partial(vg_vosk_recognizer *recognizer);
const char *vg_vosk_recognizer_final(vg_vosk_recognizer *recognizer);
