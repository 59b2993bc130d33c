-- Dictation in Neovim: what you say is written at the cursor.
--
-- Put this file into ~/.config/nvim/lua/ and this into init.lua:
--   vim.keymap.set({ 'n', 'i' }, '<F9>', require('voicegate').toggle)
--
-- Once before, in a terminal: voicegate request

local M = {
  command = { 'voicegate', 'dictate', '--quiet', '--punctuation' },
  -- The dictation that runs; nil: none.
  job = nil,
}

local function insert(line)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local before = vim.api.nvim_get_current_line():sub(1, column)
  if before ~= '' and not before:match('%s$') then line = ' ' .. line end
  vim.api.nvim_buf_set_text(0, row - 1, column, row - 1, column, { line })
  vim.api.nvim_win_set_cursor(0, { row, column + #line })
end

function M.toggle()
  if M.job then
    -- It still writes what was said until now.
    vim.fn.jobstop(M.job)
    return
  end
  local rest, complaints = '', vim.fn.tempname()
  local command = vim.list_extend({ 'sh', '-c', 'exec "$@" 2>"$0"', complaints }, M.command)
  M.job = vim.fn.jobstart(command, {
    -- A separate terminal makes it a foreground job, which may listen while you use it.
    pty = true,
    -- The last element is a line that has not ended (:help channel-lines).
    on_stdout = function(_, data)
      data[1] = rest .. data[1]
      rest = table.remove(data)
      for _, line in ipairs(data) do insert((line:gsub('\r$', ''))) end
    end,
    on_exit = function(_, status)
      M.job = nil
      if status ~= 0 then
        vim.notify(table.concat(vim.fn.readfile(complaints), '\n'), vim.log.levels.WARN)
      end
      vim.fn.delete(complaints)
    end,
  })
  if M.job <= 0 then
    M.job = nil
    vim.notify('voicegate cannot be started', vim.log.levels.ERROR)
  end
end

return M
