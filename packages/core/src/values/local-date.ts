/** A calendar day, `YYYY-MM-DD`, 1900-01-01 to 9999-12-31. Days compare as text. */
export type LocalDate = string & { readonly LocalDate: unique symbol }
