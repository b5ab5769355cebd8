/** Licences that require only that their text is kept. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
])

/** Whether an SPDX expression of names, AND, OR and brackets permits an allowed licence. */
export const isAllowed = (licence) => {
  if (typeof licence !== 'string' || licence.trim() === '') return false
  const tokens = licence.match(/[()]|[^()\s]+/g) ?? []
  let at = 0
  const one = () => {
    if (tokens[at] !== '(') return allowed.has(tokens[at++])
    at++
    const inner = either()
    return tokens[at++] === ')' && inner
  }
  const both = () => {
    let result = one()
    while (tokens[at] === 'AND') {
      at++
      result = one() && result
    }
    return result
  }
  const either = () => {
    let result = both()
    while (tokens[at] === 'OR') {
      at++
      result = both() || result
    }
    return result
  }
  const result = either()
  return at === tokens.length && result
}
