// SpeexDSP has a plain C interface; nothing is wrapped.
#pragma once
#include <speex/speex_preprocess.h>
