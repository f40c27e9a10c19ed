/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_REPORT_STYLE_H
#define BLKLAT_REPORT_STYLE_H

/*
 * The style of blklat report's HTML page. Its colours --paper, --ink... come from
 * blklat/plot/palette.c.
 */
static const char page_style[] =
"*{box-sizing:border-box}\n"
"html{color-scheme:light dark;-webkit-text-size-adjust:100%}\n"
"body{margin:0;background:var(--paper);color:var(--ink);"
"font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\n"
"main{max-width:1080px;margin:0 auto;padding:28px 20px 48px}\n"
"h1{font-size:27px;line-height:1.25;margin:0 0 4px;letter-spacing:-.01em;overflow:hidden;"
"overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2}\n"
"h2{font-size:20px;margin:44px 0 4px;padding-top:14px;border-top:1px solid var(--grid)}\n"
"p{margin:6px 0;max-width:84ch}\n"
".sub,.note,figcaption,caption{color:var(--muted)}\n"
".note,figcaption{font-size:14px}\n"
"ul{padding-left:20px;margin:8px 0}\n"
"li{margin:4px 0;max-width:84ch}\n"
"code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}\n"
"pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:6px 0;padding:10px 12px;"
"border:1px solid var(--grid);border-radius:6px}\n"
"figure{margin:14px 0 6px}\n"
"figure svg{display:block;width:100%;height:auto}\n"
"svg text{font-family:inherit}\n"
".narrow{display:none}\n"
".scroll{overflow-x:auto;margin:12px 0;position:relative}\n"
"table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}\n"
"caption{text-align:left;font-size:13px;padding:0 0 6px}\n"
"th,td{padding:4px 10px;border-bottom:1px solid var(--grid);white-space:nowrap;text-align:left;"
"font-weight:400}\n"
"thead th{color:var(--muted);font-weight:600;font-size:13px}\n"
"thead td{border-bottom:0}\n"
"thead tr:last-child>*{border-bottom:1px solid var(--muted)}\n"
"tbody th:first-child,thead tr>:first-child{position:sticky;left:0;background:var(--paper);"
"padding-left:0}\n"
"tr>.n{text-align:right}\n"
"tr>.g{padding-left:22px}\n"
"thead th[colspan]{color:var(--ink);text-align:left}\n"
"tr.head>*{font-weight:650}\n"
"tr.d1>th{padding-left:20px!important}\n"
"tr.d2>th{padding-left:40px!important}\n"
"td.b{min-width:110px}\n"
".bar{display:block;height:10px;border-radius:2px;background:var(--muted)}\n"
".swatch{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:8px}\n"
".ok,.bad{border-left:4px solid;padding:8px 14px;margin:16px 0;border-radius:0 6px 6px 0}\n"
".ok{border-color:#1f8a5f;background:var(--ok)}\n"
".bad{border-color:#cf3a3a;background:var(--band)}\n"
"dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 18px;margin:10px 0}\n"
"dt{color:var(--muted)}\n"
"dd{margin:0;overflow-wrap:anywhere}\n"
"@media (max-width:700px){main{padding:18px 14px 36px}h1{font-size:22px}.wide{display:none}"
".narrow{display:block}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}}\n"
"@media print{main{max-width:none;padding:0}figure,tr{break-inside:avoid}h2{break-after:avoid}"
".scroll{overflow:visible}.wide{display:block}.narrow{display:none}body{font-size:12px}"
"table{font-size:10px}"
"th,td{padding:2px 5px}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";

#endif
