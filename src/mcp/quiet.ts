import { givingBackWhenQuiet } from "../index/give-back.ts";

/**
 * Told when a server or a call begins, and by what that gives when it has ended: if nothing follows for a while, what it
 * took is given back. One for the process, whose memory it is.
 */
export const begin: () => () => void = givingBackWhenQuiet();
