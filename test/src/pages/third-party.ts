/**
 * What is known of markup that is not ours: below the selector these rules of axe are not held. Swagger UI 5 draws grey texts on tinted
 * rows (color-contrast), puts the button that copies a path inside the one that unfolds the operation (nested-interactive), has
 * links of a line's height (target-size) and a choice of servers without a name (select-name). All that it shows can be read in
 * our own pages besides.
 */
export const thirdParty = [
  { below: '.swagger-ui', rules: ['color-contrast', 'nested-interactive', 'select-name', 'target-size'] },
] as const
