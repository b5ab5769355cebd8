/** Whether a text is a code of exactly four digits: those of distributors and of economic activities (CNAE) are. */
export const isFourDigits = (text: string): boolean => /^\d{4}$/.test(text)
