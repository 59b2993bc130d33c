;;; voicegate.el --- Dictation: what you say is written at point  -*- lexical-binding: t -*-

;; (load "/path/to/voicegate.el")
;; (global-set-key (kbd "<f9>") #'voicegate-toggle)
;;
;; The first time you are asked whether VoiceGate's command line may listen, by the agent that runs: voicegate agent.

;;; Code:

(defvar voicegate-command '("voicegate" "dictate" "--quiet" "--punctuation" "--numbers")
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
  "Tell why PROCESS has ended, where that was no success."
  (unless (process-live-p process)
    (setq voicegate--process nil)
    (let ((complaints (process-get process 'complaints)))
      (unless (zerop (process-exit-status process))
        (message "%s" (string-trim (with-current-buffer complaints (buffer-string)))))
      (kill-buffer complaints))))

(defun voicegate-toggle ()
  "Begin a dictation at point, or end the one that runs."
  (interactive)
  (if voicegate--process
      ;; It still writes what was said until now.
      (signal-process voicegate--process 'SIGTERM)
    (let ((complaints (generate-new-buffer " *voicegate*")))
      (setq voicegate--process
            ;; A terminal of its own makes it a foreground job, which may listen while you use it.
            (make-process :name "voicegate" :command voicegate-command :connection-type 'pty
                          :noquery t :stderr complaints :coding 'utf-8
                          :filter #'voicegate--insert :sentinel #'voicegate--ended))
      (set-process-query-on-exit-flag (get-buffer-process complaints) nil)
      (set-process-sentinel (get-buffer-process complaints) #'ignore)
      (process-put voicegate--process 'complaints complaints)
      (set-marker (process-mark voicegate--process) (point) (current-buffer))
      (set-marker-insertion-type (process-mark voicegate--process) t))))

(provide 'voicegate)
;;; voicegate.el ends here
