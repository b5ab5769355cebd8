// Sizes in pixels; times in seconds.
const [columns, lineHeight, characterWidth, margin] = [116, 19, 8.43, 18]
const holdAtEnd = 6

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const line = (text, at) => {
  const kind = text.startsWith('$ ') ? ' class="command"' : ''
  return `<text x="${margin}" y="${margin + (at + 1) * lineHeight}"${kind}>${escaped(text)}</text>`
}

/** Shows a frame from its time to that of the next one; the last one stays, also where nothing moves. */
const motion = (frames, total) =>
  frames
    .slice(0, -1)
    .map(({ seconds }, at) => {
      const [from, to] = [seconds, frames[at + 1].seconds].map((time) => ((time / total) * 100).toFixed(2))
      return `@keyframes f${at} { 0% { opacity: 0 } ${from}% { opacity: 1 } ${to}% { opacity: 0 } 100% { opacity: 0 } } #f${at} { animation-name: f${at} }`
    })
    .concat(
      `@keyframes last { 0% { opacity: 0 } ${((frames.at(-1).seconds / total) * 100).toFixed(2)}% { opacity: 1 } 100% { opacity: 1 } } #last { animation-name: last }`,
    )
    .join('\n')

/** A terminal as a picture that moves: frames of `{ seconds, lines }` in order of time. */
export const svgOf = (frames, title) => {
  const total = frames.at(-1).seconds + holdAtEnd
  const height = Math.max(...frames.map(({ lines }) => lines.length)) * lineHeight + margin * 2.5
  const width = Math.ceil(columns * characterWidth + margin * 2)
  const groups = frames.map(({ lines }, at) => {
    const id = at === frames.length - 1 ? 'last' : `f${at}`
    return `<g id="${id}">\n${lines.map(line).join('\n')}\n</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d7dce2; white-space: pre }
.command { fill: #9ece6a }
g { opacity: 0 }
#last { opacity: 1 }
@media (prefers-reduced-motion: no-preference) {
g { animation: ${total.toFixed(1)}s steps(1, end) infinite }
${motion(frames, total)}
}
</style>
<rect width="100%" height="100%" rx="8" fill="#1a1d23"/>
${groups.join('\n')}
</svg>
`
}
