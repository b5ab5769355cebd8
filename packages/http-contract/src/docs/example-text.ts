import type { ExchangeExample, PayloadExample } from '@account-import/core/guides'

/** An example as text, with what stands above it. */
export type ExampleText = Readonly<{
  place: string
  bad: string
  good: string
  setting: string | undefined
}>

const timesOf = ({ repeated }: PayloadExample): string =>
  repeated === undefined ? '' : `; the item of the bad list stands there ${repeated} times`

/** `indent`: blanks for each level of a fragment, 0 for one line. */
export const exampleText = (example: PayloadExample | ExchangeExample, indent = 2): ExampleText => {
  const fragment = (value: object): string => JSON.stringify(value, undefined, indent)
  if (!('in' in example)) return { place: '', ...example, setting: undefined }
  return {
    place: (example.in === '' ? 'the payload' : example.in) + timesOf(example),
    bad: fragment(example.bad),
    good: fragment(example.good),
    setting: example.setting?.options,
  }
}
