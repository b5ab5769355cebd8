// Loaded into every child: none outlives the bench, however that ends. The channel alone keeps no process running.
process.once('disconnect', () => process.exit())
process.channel?.unref()
