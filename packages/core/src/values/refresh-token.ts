/** Two parts of 256 random bits each, with a full stop between: what all tokens of a family share, and what is the token's own. */
export type RefreshToken = Readonly<{ family: string; secret: string }>

const form = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/

export const refreshTokenText = ({ family, secret }: RefreshToken): string => `${family}.${secret}`

/** The parts of a token, or `undefined` where the text is not one. */
export const parseRefreshToken = (text: string): RefreshToken | undefined => {
  const [, family, secret] = form.exec(text) ?? []
  return family === undefined || secret === undefined ? undefined : { family, secret }
}
