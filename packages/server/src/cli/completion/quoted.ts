/** A text as one word of bash and zsh. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
