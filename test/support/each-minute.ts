/** Long runs say every minute how far they are: one that is ended early has shown that much. */
export async function eachMinute<T>(tally: () => object, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => console.log(JSON.stringify(tally())), 60_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
