/** A metric that an expression names, with the labels that it asks for there. */
export type Use = Readonly<{ metric: string; labels: readonly string[] }>

const words = new Set([
  'by',
  'without',
  'on',
  'ignoring',
  'and',
  'or',
  'unless',
  'bool',
  'offset',
  'group_left',
])

const namesIn = (list: string): readonly string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** From an opening bracket to the one that closes it. */
const bracketed = (text: string, from: number): string => {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return text.slice(from, at + 1)
  }
  throw new Error(`a bracket is not closed: ${text}`)
}

/** The metrics of an expression, each with the labels of its own selector. */
const selectorsIn = (text: string): readonly Use[] => {
  const bare = text.replaceAll(/\[[^\]]*\]|\boffset\s+\w+/g, '').replaceAll(/\b(by|without)\s*\([^)]*\)/g, '')
  return [...bare.matchAll(/([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?(\s*\()?/g)].flatMap(
    ([, name = '', selector, call]) =>
      call !== undefined || words.has(name)
        ? []
        : [
            {
              metric: name,
              labels: [...(selector ?? '').matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(
                ([, label = '']) => label,
              ),
            },
          ],
  )
}

/** The patterns that an expression holds a label to, `=~` and `!~`. */
export const patternsFor = (expression: string, label: string): readonly string[] =>
  [...expression.matchAll(new RegExp(`\\b${label}[=!]~"([^"]*)"`, 'g'))].map(([, pattern = '']) => pattern)

/** What an expression of Prometheus' language asks for: metrics, labels to select by, labels to group by. */
export const usesIn = (expression: string): readonly Use[] => {
  const text = expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
  const grouped = [...text.matchAll(/\bby\s*\(([^)]*)\)\s*(?=\()/g)].flatMap((found) => {
    const [whole, list = ''] = found
    const inside = bracketed(text, found.index + whole.length)
    return selectorsIn(inside).map(({ metric }) => ({ metric, labels: namesIn(list) }))
  })
  return [...selectorsIn(text), ...grouped]
}
