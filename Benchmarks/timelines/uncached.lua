-- Asks for a target of its own each time, so that no kept answer can be given.
local asked = 0
local before
function request()
    before = before or wrk.path .. (wrk.path:find("?", 1, true) and "&" or "?") .. "asked="
    asked = asked + 1
    return wrk.format("GET", before .. asked)
end
