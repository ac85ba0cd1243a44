// Nothing but the call stands here: closures at top level would belong to the main actor.
runCommand()
