import xterm from '@xterm/headless'

const [columns, rows] = [116, 40]

/** A terminal that nobody sees: what is written to it, and what it shows after each writing. */
export const makeScreen = () => {
  const terminal = new xterm.Terminal({ cols: columns, rows, convertEol: true, allowProposedApi: true })
  const began = performance.now()
  const frames = []
  let latest = Promise.resolve()

  const shown = () => {
    const { active } = terminal.buffer
    const lines = Array.from(
      { length: active.length },
      (_, at) => active.getLine(at)?.translateToString(true) ?? '',
    )
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
  }

  const write = (text) => {
    latest = new Promise((resolve) => {
      terminal.write(text, () => {
        frames.push({ milliseconds: performance.now() - began, lines: shown() })
        resolve()
      })
    })
    return true
  }

  return {
    write,
    /** As `process.stderr` is on a terminal, as far as programs ask. */
    stream: {
      isTTY: true,
      columns,
      rows,
      write,
      on: () => undefined,
      once: () => undefined,
      removeListener: () => undefined,
    },
    /** What it showed, each with the time since it was made. */
    frames: async () => {
      await latest
      return frames
    },
  }
}
