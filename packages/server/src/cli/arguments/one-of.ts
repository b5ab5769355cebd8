import { InvalidArgumentError } from 'commander'

/** Reads one of the given words; Commander shows the refusal. */
export const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const word = words.find((each) => each === text)
    if (word === undefined) throw new InvalidArgumentError(`Use one of: ${words.join(', ')}.`)
    return word
  }
