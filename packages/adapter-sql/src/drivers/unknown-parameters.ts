/** Longer ones, and those with other characters, may be a part of a password that is not percent-encoded. */
const isName = (text: string): boolean => /^[A-Za-z][\w-]{0,39}$/.test(text)

/** The end of a sentence that names the parameters of a URL that are not known; undefined where all are. */
export const unknownParameters = (names: readonly string[], known: readonly string[]): string | undefined => {
  const unknown = [...new Set(names.filter((name) => !known.includes(name)))]
  if (unknown.length === 0) return undefined
  return `, not ${unknown.map((name) => (isName(name) ? name : 'one whose name is not shown')).join(', ')}`
}
