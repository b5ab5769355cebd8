/** Paragraphs of HTML as a whole document that any mail program shows; nothing is loaded from elsewhere. */
export const page = (language: string, paragraphs: readonly string[]): string => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;padding:24px;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:1.5;color:#222">
<div style="max-width:36em">
${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}
</div>
</body>
</html>
`
