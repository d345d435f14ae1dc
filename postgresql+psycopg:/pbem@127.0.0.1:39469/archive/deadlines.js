"use strict";
// Says until when somebody has time in the reader's own zone, and how far off that is. Without it the page says UTC.
{
  const language = document.documentElement.lang;
  const shown = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
  });
  const distance = new Intl.RelativeTimeFormat(language);
  for (const time of document.querySelectorAll("time[data-until]")) {
    const at = new Date(time.dateTime);
    const minutes = (at - Date.now()) / 60000;
    const [size, unit] = [[1440, "day"], [60, "hour"], [1, "minute"]].find(([size]) => Math.abs(minutes) >= 2 * size) ?? [1, "minute"];
    time.title = time.textContent;
    time.textContent = `${shown.format(at)} (${distance.format(Math.trunc(minutes / size), unit)})`;
  }
}
