import { isTestEmail } from '../../values/email.js'

/** Addresses as most people have them; shorter than any limit of a part. */
const form = /^[a-z0-9]+(?:[._-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$/

const LONGEST = 63

export const isPlainEmail = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= LONGEST && form.test(value) && !isTestEmail(value)
