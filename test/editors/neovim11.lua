-- What packaging/nvim ships, as its users have it: on 'runtimepath', and enabled. Run by run.mjs with Neovim 0.11 or later.
local failures = 0
local function check(what, ok, seen)
  if not ok then failures = failures + 1 end
  io.stdout:write((ok and 'ok ' or 'not ok ') .. what .. (ok and '' or ': ' .. tostring(seen)) .. '\n')
end
local function wait(what, probe)
  check(what, vim.wait(15000, probe, 20), 'not seen in time')
end

local function main()
  vim.opt.runtimepath:prepend(vim.env.MIR_RUNTIME)
  vim.cmd('runtime ftdetect/mir.lua')
  vim.cmd('filetype on')
  check('the command is that of the package', vim.deep_equal(vim.lsp.config.amdgpu_mir.cmd, { 'amdgpu-mir', 'lsp', '--stdio' }), vim.inspect(vim.lsp.config.amdgpu_mir))
  vim.lsp.config('amdgpu_mir', { cmd = vim.split(vim.env.MIR_COMMAND, '\n') })
  vim.lsp.enable('amdgpu_mir')
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.MIR_FILE))
  check('file type', vim.bo.filetype == 'mir', vim.bo.filetype)
  wait('the server is attached', function()
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'amdgpu_mir' })[1]
    return client and client.initialized
  end)
  wait('one diagnostic', function() return #vim.diagnostic.get(0) == 1 end)
  local found = vim.diagnostic.get(0)[1] or {}
  check('its message is that of llc', (found.message or ''):find("unknown machine instruction name 'V_OR_B32_e33'", 1, true), found.message)
  vim.cmd('%s/V_OR_B32_e33/V_OR_B32_e32/')
  wait('the diagnostic goes with the mistake', function() return #vim.diagnostic.get(0) == 0 end)
  -- Those of the lines on the screen are asked for when it is drawn, which it is not here.
  local range = { start = { line = 0, character = 0 }, ['end'] = { line = 999, character = 0 } }
  local params = { textDocument = vim.lsp.util.make_text_document_params(0), range = range }
  wait('hints at line ends', function()
    local _, answer = next(vim.lsp.buf_request_sync(0, 'textDocument/inlayHint', params, 15000) or {})
    return answer and #(answer.result or {}) > 0
  end)
  wait('colours by register bank', function()
    local tokens = vim.lsp.semantic_tokens.get_at_pos(0, vim.fn.search('COPY') - 1, 4) or {}
    return tokens[1] and tokens[1].type ~= nil
  end)
end

local ok, problem = pcall(main)
if not ok then check('the script runs', false, problem) end
vim.lsp.stop_client(vim.lsp.get_clients(), true)
vim.cmd(failures > 0 and 'cquit 1' or 'quitall!')
