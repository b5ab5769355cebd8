/**
 * Whether the text is an e-mail address: a local part of 1 to 64 characters in groups joined by single dots; a
 * domain of at least two labels, the last of 2 or more characters and not all digits.
 */
export const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@')
  return at >= 1 && at <= 64 && isLocalPart(text, at) && isDomain(text.slice(at + 1))
}

const DOT = 0x2e

/** Which ASCII characters the groups of a local part may hold. */
const inLocalPart: readonly boolean[] = Array.from({ length: 128 }, (_, unit) =>
  /[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]/.test(String.fromCharCode(unit)),
)

const isLocalPart = (text: string, end: number): boolean => {
  let before = DOT
  for (let index = 0; index < end; index++) {
    const unit = text.charCodeAt(index)
    if (unit === DOT ? before === DOT : inLocalPart[unit] !== true) return false
    before = unit
  }
  return before !== DOT
}

const label = '(?!-)[\\p{L}\\p{M}\\p{Nd}-]{1,63}(?<!-)'
const domainForm = new RegExp(`^(?:${label}\\.)+(?!\\p{Nd}+$)(?=..)${label}$`, 'u')

const isDomain = (domain: string): boolean => domainForm.test(domain)
