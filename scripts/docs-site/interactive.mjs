/** The page for trying requests. It is at `interactive/`, with all files that it loads. */
export const interactivePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try requests - Customer Account Import Service</title>
<meta name="description" content="Every endpoint with its fields; requests are sent from the browser.">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="swagger-ui.css">
<link rel="stylesheet" href="interactive.css">
<script src="swagger-ui-bundle.js" defer></script>
<script src="start.js" type="module"></script>
</head>
<body>
<nav aria-label="Breadcrumb"><ol><li><a href="../">Documentation</a></li><li aria-current="page">Try requests</li></ol></nav>
<main>
<header>
<h1>Try requests</h1>
<p>This page sends real requests to this service. <a href="../#get-a-token">Get a token</a>, then enter it under <q>Authorize</q>.
The <a href="../#endpoints">pages of the endpoints</a> have the same content without a script.</p>
<noscript><p>This page needs JavaScript.</p></noscript>
</header>
<div id="swagger-ui"></div>
</main>
<footer>Swagger UI, <a href="LICENSE">Apache License 2.0</a>, <a href="NOTICE">notice</a>,
<a href="swagger-ui-bundle.js.LICENSE.txt">licences of what it contains</a></footer>
</body>
</html>
`
