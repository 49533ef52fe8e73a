;;; amdgpu-mir.el --- LLVM MIR of AMD GPUs  -*- lexical-binding: t; -*-

;; Author: the authors of amdgpu-mir
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages, tools
;; URL: https://github.com/amdgpu-mir/amdgpu-mir
;; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

;;; Commentary:

;; A major mode for .mir files, and the language server amdgpu-mir for Eglot and lsp-mode: what llc ends with, register pressure,
;; LLVM's own errors with fixes, completion, rename.
;;
;;   (require 'amdgpu-mir)
;;   (add-hook 'amdgpu-mir-mode-hook #'eglot-ensure)   ; or #'lsp-deferred
;;
;; The program comes from npm (npm install --global amdgpu-mir) or is the executable of a release.

;;; Code:

(defgroup amdgpu-mir nil
  "LLVM MIR of AMD GPUs."
  :group 'languages
  :prefix "amdgpu-mir-")

(defcustom amdgpu-mir-command '("amdgpu-mir" "lsp" "--stdio")
  "The language server, with its arguments."
  :type '(repeat string))

(defvar amdgpu-mir-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?\; "<" table)
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?% "_" table)
    (modify-syntax-entry ?$ "_" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?\" "\"" table)
    table)
  "Comments begin with ; in instructions and IR, with # elsewhere.")

(defvar amdgpu-mir-font-lock-keywords
  `((,(rx bol (* blank) (group (+ (any "a-zA-Z-"))) ":" (or blank eol)) 1 font-lock-keyword-face)
    (,(rx symbol-start "bb." (+ digit) (* (any "a-zA-Z0-9_.-"))) . font-lock-constant-face)
    (,(rx (or "%" "$") (+ (any "a-zA-Z0-9_.-"))) . font-lock-variable-name-face)
    (,(rx symbol-start (any "VSDFGB") (* (any "A-Z0-9")) "_" (+ (any "A-Za-z0-9_")) symbol-end) . font-lock-function-name-face)
    (,(rx symbol-start (or "renamable" "implicit-def" "implicit" "killed" "dead" "undef" "early-clobber" "nofpexcept" "exact")
          symbol-end)
     . font-lock-builtin-face)
    (,(rx symbol-start (or "vgpr_" "sgpr_" "vreg_" "sreg_" "areg_" "av_") (+ (any "a-z0-9_")) symbol-end) . font-lock-type-face))
  "What is coloured without a server.")

;;;###autoload
(define-derived-mode amdgpu-mir-mode prog-mode "MIR"
  "Major mode for LLVM MIR."
  (setq-local comment-start "; "
              comment-start-skip "[;#]+[ \t]*"
              indent-tabs-mode nil
              font-lock-defaults '(amdgpu-mir-font-lock-keywords)
              imenu-generic-expression '((nil "^name:[ \t]+\\(.*\\)$" 1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.mir\\'" . amdgpu-mir-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               (cons 'amdgpu-mir-mode (lambda (&rest _) amdgpu-mir-command))))

(defvar lsp-language-id-configuration)
(declare-function lsp-register-client "ext:lsp-mode")
(declare-function make-lsp-client "ext:lsp-mode")
(declare-function lsp-stdio-connection "ext:lsp-mode")
(declare-function lsp-activate-on "ext:lsp-mode")
(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(amdgpu-mir-mode . "mir"))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () amdgpu-mir-command))
                    :activation-fn (lsp-activate-on "mir")
                    :server-id 'amdgpu-mir)))

(provide 'amdgpu-mir)
;;; amdgpu-mir.el ends here
