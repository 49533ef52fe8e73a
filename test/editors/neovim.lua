-- Neovim's own LSP client against the built server; run by run.mjs. Works with 0.7 (Debian) and later.
local failures = 0
local function check(what, ok, seen)
  if not ok then failures = failures + 1 end
  io.stdout:write((ok and 'ok ' or 'not ok ') .. what .. (ok and '' or ': ' .. tostring(seen)) .. '\n')
end

local WAIT_MS = 15000
local function wait(what, probe)
  local ok = vim.wait(WAIT_MS, probe, 20)
  check(what, ok, 'not seen in time')
  return ok
end

local function line_of(text)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then return i, column - 1 end
  end
  error('no line contains ' .. text)
end

local function main()
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.MIR_FILE))
  vim.bo.filetype = 'mir'
  local buffer = vim.api.nvim_get_current_buf()
  local ready = false
  local id = vim.lsp.start_client({
    name = 'amdgpu-mir',
    cmd = vim.split(vim.env.MIR_COMMAND, '\n'),
    root_dir = vim.fn.fnamemodify(vim.env.MIR_FILE, ':h'),
    on_init = function() ready = true end,
  })
  vim.lsp.buf_attach_client(buffer, id)
  if not wait('initialize', function() return ready end) then return end
  local client = vim.lsp.get_client_by_id(id)
  check('hover is offered', client.server_capabilities.hoverProvider)

  local function ask(method, params)
    local answers = vim.lsp.buf_request_sync(buffer, method, params, WAIT_MS) or {}
    return (answers[id] or {}).result
  end
  local function hover(text)
    local line, column = line_of(text)
    vim.api.nvim_win_set_cursor(0, { line, column })
    local answer = ask('textDocument/hover', vim.lsp.util.make_position_params())
    return answer and answer.contents and answer.contents.value or ''
  end

  wait('one diagnostic', function() return #vim.diagnostic.get(buffer) == 1 end)
  local found = vim.diagnostic.get(buffer)[1] or {}
  check('its message is that of llc', (found.message or ''):find("unknown machine instruction name 'V_OR_B32_e33'", 1, true), found.message)
  local line, column = line_of('V_OR_B32_e33')
  check('it stands on the opcode', found.lnum == line - 1 and found.col == column, vim.inspect(found))

  -- Mend the line with the quick fix.
  local last = column + #'V_OR_B32_e33'
  local actions = ask('textDocument/codeAction', {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = { line = line - 1, character = column }, ['end'] = { line = line - 1, character = last } },
    context = { diagnostics = {} },
  }) or {}
  local action = actions[1] or {}
  check('quick fix', action.title == "Change to 'V_OR_B32_e32'", vim.inspect(actions))
  if action.edit then vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16') end
  wait('the diagnostic goes with the mistake', function() return #vim.diagnostic.get(buffer) == 0 end)
  check('hover shows the pressure', hover('V_PK_FMA_F32'):find('VGPR'), hover('V_PK_FMA_F32'))
  check('hover names the target', hover('V_PK_FMA_F32'):find('gfx90a wave64, LLVM 24.0.0git', 1, true), hover('V_PK_FMA_F32'))

  local document = { textDocument = vim.lsp.util.make_text_document_params() }
  local lenses = ask('textDocument/codeLens', document) or {}
  -- What llc ends with has a lens of its own, before the others once it is known.
  local titles = table.concat(vim.tbl_map(function(lens) return lens.command.title end, lenses), '\n')
  check('code lens', titles:find('occupancy'), vim.inspect(lenses))
  local symbols = ask('textDocument/documentSymbol', document) or {}
  check('document symbols', symbols[1] and symbols[1].name == 'saxpy', vim.inspect(symbols))
  local hints = ask('textDocument/inlayHint', vim.tbl_extend('force', document, {
    range = { start = { line = 0, character = 0 }, ['end'] = { line = 999, character = 0 } },
  })) or {}
  check('inlay hints', #hints > 0, vim.inspect(hints))

  -- Write: completion in the middle of an opcode, the layout of llc, another name for the function.
  local word, from = line_of('V_PK_FMA_F32')
  local typed = { line = word - 1, character = from + #'V_PK_FMA' }
  local list = ask('textDocument/completion', vim.tbl_extend('force', document, { position = typed })) or {}
  local proposed = list.items and list.items[1] or {}
  check('completion', proposed.label == 'V_PK_FMA_F32', vim.inspect(proposed))
  vim.api.nvim_buf_set_lines(0, word - 1, word, false, { '  ' .. vim.api.nvim_buf_get_lines(0, word - 1, word, false)[1] })
  local layout = ask('textDocument/formatting', vim.tbl_extend('force', document, { options = { tabSize = 2, insertSpaces = true } })) or {}
  vim.lsp.util.apply_text_edits(layout, buffer, 'utf-16')
  check('formatting', select(2, line_of('V_PK_FMA_F32')) == from, vim.inspect(layout))
  local named, at = line_of('saxpy')
  for i, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:match('^name: +()saxpy')
    if column then named, at = i, column - 1 end
  end
  local renamed = ask('textDocument/rename', vim.tbl_extend('force', document, {
    position = { line = named - 1, character = at }, newName = 'axpy',
  })) or {}
  if renamed.changes then vim.lsp.util.apply_workspace_edit(renamed, 'utf-16') end
  local names = ask('textDocument/documentSymbol', document) or {}
  check('rename', names[1] and names[1].name == 'axpy', vim.inspect(renamed))

  -- Rematerialize: a function one register above eight waves.
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.MIR_ROWS))
  vim.bo.filetype = 'mir'
  buffer = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buffer, id)
  local half, place = line_of('%half:vgpr_32')
  local here = { line = half - 1, character = place }
  local offers = ask('textDocument/codeAction', {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = here, ['end'] = here },
    context = { diagnostics = {} },
  }) or {}
  local offer = offers[1] or {}
  check('rematerialization', offer.title == 'Rematerialize %half at bb.2 (VGPR -1 in 2 regions, occupancy 7 to 8)', vim.inspect(offers))
  -- Neovim says that it resolves: the edit comes when the action is chosen.
  if offer.data and not offer.edit then offer = ask('codeAction/resolve', offer) or {} end
  if offer.edit then vim.lsp.util.apply_workspace_edit(offer.edit, 'utf-16') end
  check('its edit moves the line', line_of('%half:vgpr_32') > line_of('bb.2.store:'), line_of('%half:vgpr_32'))
  local after = ask('textDocument/codeLens', { textDocument = vim.lsp.util.make_text_document_params() }) or {}
  check('occupancy afterwards', after[1] and vim.inspect(after):find('occupancy 8 of 10', 1, true), vim.inspect(after))

  -- The requests of our own that any editor may send: control flow, the pick of a line, and blocks before and behind.
  local label, indent = line_of('bb.2.store:')
  local there = vim.tbl_extend('force', { textDocument = vim.lsp.util.make_text_document_params() }, {
    position = { line = label - 1, character = indent },
  })
  local flow = ask('amdgpuMir/controlFlow', there) or {}
  check('control flow', flow.blocks and #flow.blocks == 3 and flow.blocks[3].name == 'bb.2.store', vim.inspect(flow))
  local block = (ask('textDocument/prepareTypeHierarchy', there) or {})[1] or {}
  local before = ask('typeHierarchy/supertypes', { item = block }) or {}
  check('block hierarchy', #before > 0 and before[1].name:find('^bb%.1'), vim.inspect(before))
  local load = line_of('V_ADD_F32_e32')
  there.position = { line = load - 1, character = 4 }
  local pick = ask('amdgpuMir/schedulePick', there) or {}
  check('pick of a line', pick.line == load - 1 and pick.text:find('region %d'), vim.inspect(pick))

  -- A CHECK line that fails is told while it is written.
  vim.api.nvim_buf_set_lines(0, 0, 0, false, {
    '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx906 -run-pass=none -o - %s | FileCheck %s',
    '# CHECK: nothing like it',
  })
  wait('a CHECK line that fails', function()
    for _, d in ipairs(vim.diagnostic.get(0)) do
      if d.source == 'FileCheck' then return d.lnum == 1 and d.message:find('expected string not found in input', 1, true) ~= nil end
    end
    return false
  end)

  client.stop()
  wait('shutdown', function() return client.is_stopped() end)
end

local ok, problem = xpcall(main, debug.traceback)
if not ok then check('the script runs', false, problem) end
io.stdout:flush()
vim.cmd(failures == 0 and 'qall!' or 'cquit! 1')
