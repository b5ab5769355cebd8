/** One figure, with the bound that it is held to, if there is one. */
export type Figure = Readonly<{
  name: string
  detail: string
  value: number
  unit: 'MiB' | 'ms' | 'times' | 'a second' | 'KiB'
  most?: number
}>

export const isMissed = ({ value, most }: Figure): boolean => most !== undefined && !(value <= most)

const boundText = (figure: Figure): string => {
  if (figure.most === undefined) return ''
  return `at most ${figure.most.toFixed(2)}, ${isMissed(figure) ? 'MISSED' : 'reached'}`
}

/** One line of the table that a run prints. */
export const figureLine = (backend: string, figure: Figure): string =>
  [
    backend.padEnd(8),
    figure.name.padEnd(44),
    figure.value.toFixed(2).padStart(9),
    figure.unit.padEnd(8),
    boundText(figure).padEnd(23),
    figure.detail,
  ].join(' ')

/** The same for the documentation: a line of a Markdown table. */
export const figureCells = (figure: Figure): readonly string[] => [
  figure.name,
  `${Number(figure.value.toFixed(2))} ${figure.unit}`,
  figure.most === undefined ? '' : String(Number(figure.most.toFixed(2))),
  figure.detail,
]
