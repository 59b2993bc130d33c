;;; voicegate.el --- Dictation: what you say is written at point  -*- lexical-binding: t -*-

;; (load "/path/to/voicegate.el")
;; (global-set-key (kbd "<f9>") #'voicegate-toggle)
;;
;; Once before, in a terminal: voicegate request

;;; Code:

(defvar voicegate-command '("voicegate" "dictate" "--quiet" "--punctuation")
  "The dictation; each line it writes is an utterance.")

(defvar voicegate--process nil "The dictation that runs, or nil.")

(defun voicegate--insert (process output)
  "Write the whole lines of OUTPUT of PROCESS where its dictation was begun."
  (let* ((lines (split-string (concat (process-get process 'rest) output) "\r?\n"))
         (marker (process-mark process)))
    (process-put process 'rest (car (last lines)))
    (when (buffer-live-p (marker-buffer marker))
      (with-current-buffer (marker-buffer marker)
        (save-excursion
          (goto-char marker)
          (dolist (line (butlast lines))
            (unless (or (bolp) (memq (char-before) '(?\s ?\t))) (insert " "))
            (insert line)))))))

(defun voicegate--ended (process _event)
  "Tell why PROCESS has ended, where that was not a success."
  (unless (process-live-p process)
    (setq voicegate--process nil)
    (let ((complaints (process-get process 'complaints)))
      (unless (zerop (process-exit-status process))
        (message "%s" (with-temp-buffer (insert-file-contents complaints) (string-trim (buffer-string)))))
      (delete-file complaints))))

(defun voicegate-toggle ()
  "Begin a dictation at point, or end the one that runs."
  (interactive)
  (if voicegate--process
      ;; It still writes what was said until now.
      (signal-process voicegate--process 'SIGTERM)
    (let ((complaints (make-temp-file "voicegate")))
      (setq voicegate--process
            ;; A separate terminal makes it a foreground job, which may listen while you use it.
            (make-process :name "voicegate" :connection-type 'pty :noquery t :coding 'utf-8
                          :command `("sh" "-c" "exec \"$@\" 2>\"$0\"" ,complaints ,@voicegate-command)
                          :filter #'voicegate--insert :sentinel #'voicegate--ended))
      (process-put voicegate--process 'complaints complaints)
      (set-marker (process-mark voicegate--process) (point) (current-buffer))
      (set-marker-insertion-type (process-mark voicegate--process) t))))

(provide 'voicegate)
;;; voicegate.el ends here
