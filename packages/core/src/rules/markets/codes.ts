// Written by `npm run docs:generate` from the folders beside it.
import { codes as esCodes } from './es/codes.js'

/** The codes of all market packs. */
export const marketCodes = {
  ...esCodes,
}
