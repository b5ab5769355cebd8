// Written by `npm run docs:generate` from the folders beside it.
import { guides as esGuides } from './es/guides.js'

/** The guides to the codes of all market packs. */
export const marketGuides = {
  ...esGuides,
}
