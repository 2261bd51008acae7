import { givingBackWhenQuiet } from "../index/give-back.ts";

/**
 * Told when a server has begun and when a call has ended: if nothing follows for a while, what it took is given back.
 * One for the process, whose memory it is.
 */
export const stir: () => void = givingBackWhenQuiet();
