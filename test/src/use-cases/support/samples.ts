import { readFileSync } from 'node:fs'

const texts = new Map<string, string>()

/** A file of `examples/samples`, as it is. */
const sampleText = (name: string): string => {
  const url = new URL(`../../../../examples/samples/${name}.json`, import.meta.url)
  const text = texts.get(name) ?? readFileSync(url, 'utf8')
  texts.set(name, text)
  return text
}

export const sample = (name: string): Record<string, unknown> => {
  const parsed: unknown = JSON.parse(sampleText(name))
  if (typeof parsed !== 'object' || parsed === null) throw new TypeError(`${name} is no object`)
  return { ...parsed }
}

/** A sample that is a list. */
export const samples = (name: string): readonly unknown[] => {
  const parsed: unknown = JSON.parse(sampleText(name))
  if (!Array.isArray(parsed)) throw new TypeError(`${name} is no list`)
  return parsed
}
