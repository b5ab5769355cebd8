/** Stands in values that are sent, and in nothing that the service may write down or answer of itself. */
export const canary = 'c4n4ry'

/** What only the inside of the service has: stacks, SQL, names of files and of errors of drivers. */
const inside =
  /\bat [\w$.<> ]+\(|node:internal|\.[cm]?js:\d|\b(?:SELECT|INSERT|UPDATE|DELETE) |\bSQLITE_|\bER_[A-Z]|\b(?:Type|Range|Syntax)Error\b|\bknex\b|\bmysql2\b/

/** Fields of refusals that name what was sent. */
const echoes = new Set([
  'external_account_number',
  'import_supplier',
  'platform_account_number',
  'reference',
  'transaction_data',
])

const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => (echoes.has(key) ? [] : textsOf(each)))
}

/** What a refusal tells that it must not tell. */
export const leaksIn = (refusal: unknown): readonly string[] => {
  const texts = textsOf(refusal)
  return [
    ...(texts.some((text) => text.includes(canary)) ? ['a value that was sent is in the refusal'] : []),
    ...(texts.some((text) => inside.test(text)) ? ['the refusal tells of the inside of the service'] : []),
  ]
}
