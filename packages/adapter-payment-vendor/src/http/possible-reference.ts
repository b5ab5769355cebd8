/**
 * Whether a vendor on the web can have an instruction of this name. Dots alone, which would be steps through the
 * vendor's paths, and halves of characters, which have no percent-encoding, are no names.
 */
export const isPossibleReference = (reference: string): boolean =>
  !/^\.*$/.test(reference) && !/\p{Surrogate}/u.test(reference)
