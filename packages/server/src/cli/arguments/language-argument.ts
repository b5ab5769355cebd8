import { InvalidArgumentError } from 'commander'

/** Reads an ISO 639 code, or `auto` for the language of the account's country. */
export const languageArgument = (text: string): string => {
  if (!/^(?:auto|[a-z]{2,3})$/.test(text))
    throw new InvalidArgumentError('Use a language code such as es or ca, or auto.')
  return text
}
