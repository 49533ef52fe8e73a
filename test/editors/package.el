;;; package.el --- the package of packaging/emacs compiles without a word; run by run.mjs  -*- lexical-binding: t -*-
(require 'bytecomp)
(require 'checkdoc)
(require 'package)
(defvar failures 0)
(defun check (what ok &optional seen)
  (unless ok (setq failures (1+ failures)))
  (princ (format "%s %s%s\n" (if ok "ok" "not ok") what (if ok "" (format ": %S" seen)))))

(let* ((file (expand-file-name "../../packaging/emacs/amdgpu-mir.el" (file-name-directory load-file-name)))
       (byte-compile-dest-file-function (lambda (_) (make-temp-file "amdgpu-mir" nil ".elc")))
       (byte-compile-error-on-warn t))
  (check "compiles without warnings" (byte-compile-file file))
  (with-temp-buffer
    (insert-file-contents file)
    (emacs-lisp-mode)
    (let ((description (ignore-errors (package-buffer-info))))
      (check "is a package" (and description (eq (package-desc-name description) 'amdgpu-mir)) description)
      (check "of the version of the program"
             (equal (package-version-join (package-desc-version description))
                    (with-temp-buffer
                      (insert-file-contents (expand-file-name "../../package.json" (file-name-directory file)))
                      (search-forward-regexp "\"version\": \"\\([^\"]+\\)\"")
                      (match-string 1)))
             description))))
(kill-emacs (if (< 0 failures) 1 0))
