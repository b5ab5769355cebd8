const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1)

/** `atr tariff` as AtrTariff, and so `atr_tariff`. */
export const pascal = (name) => name.toLowerCase().split(/[ _]/).map(capital).join('')

/** `ATR tariff` as atr-tariff. */
export const kebab = (name) => name.toLowerCase().replaceAll(' ', '-')
