/**
 * What is known of markup that is not ours: below the selector these rules of axe are not held. Swagger UI 5 draws grey texts on tinted
 * rows, puts small buttons for links and copying inside the button that unfolds an operation, and leaves choices of media types
 * without names of their own. Its operations can all be read in our own pages besides.
 */
export const thirdParty = [
  {
    below: '.swagger-ui',
    rules: ['color-contrast', 'target-size', 'nested-interactive', 'label', 'select-name'],
  },
] as const
