vim.filetype.add({ extension = { mir = 'mir' } })
