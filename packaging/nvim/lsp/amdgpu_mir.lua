-- For Neovim 0.11 and later. Put this folder on 'runtimepath', or copy the file to ~/.config/nvim/lsp, then: vim.lsp.enable('amdgpu_mir')
return {
  cmd = { 'amdgpu-mir', 'lsp', '--stdio' },
  filetypes = { 'mir' },
  root_markers = { 'amdgpu-mir.toml', '.git' },
}
