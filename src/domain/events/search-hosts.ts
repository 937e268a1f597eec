/*
 * Search engines. The hosts are facts taken from Matomo's searchengine-and-social-list
 * (https://github.com/matomo-org/searchengine-and-social-list), which is in the public domain (CC0 1.0), with newer ones
 * added. Left out are portals that the list counts only when the referrer carries a search term, which browsers no
 * longer send.
 */
import { wordSet } from './word-list.js';

/**
 * Names that search under many country endings: `google` means google.com, google.de, google.co.uk, google.com.br.
 * Other hosts of theirs (docs.google.com, market.yandex.ru) are no search.
 */
export const regionalSearchNames = wordSet(`
  123people blogsearch.google books.google clck.yandex cse.google encrypted.google go.google gogole googel google
  gppgle images.google images.yandex ipv6.google lens.google lycos maps.google news.google scholar.google
  search.google shopping.google video.google wwwgoogle yabs.yandex yandex zapmeta zapmetasearch
`);

/** Hosts of search engines; their subdomains count as well. */
export const searchHosts = wordSet(`
  1.cz 118700.se 123people.com 1881.no abacho.at abacho.ch abacho.co.uk abacho.com abacho.de abacho.es abacho.fr
  abacho.it abcsok.no acoon.de alicesuche.aol.de alicesuchet.aol.de all.by allaverksamheter.se allesklar.at
  allesklar.ch allesklar.de alltheinternet.com alltheweb.com alohafind.com altavista.com altavista.de altavista.fr
  aolbusqueda.aol.com.mx aolimages.aol.fr aolrecherche.aol.fr aolrecherches.aol.fr aolsearch.aol.co.uk
  aolsearch.aol.com apollo7.de arama.com ariadna.elmundo.es arianna.com arianna.libero.it ask.co.uk ask.com
  ask.reference.com askkids.com austronaut.at baidu.co.th baidu.com benefind.de bing.com blekko.com blogdigger.com
  blogs.icerocket.com brisbane.t-online.de busca.orange.es busca.uol.com.br buscador.terra.cl buscador.terra.com.br
  buscador.terra.es cade.yahoo.com cc.bingj.com cercato.it cgi.search.biglobe.ne.jp chercherfr.aguea.com
  claro-search.com class.hit-parade.com coccoc.com crawler.com cuil.com daemon-search.com darkoogle.com
  dasoertliche.de dastelefonbuch.de de.aolsearch.com delta-search.com dogpile.com duckduckgo.com
  duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion ecosia.org en.wedoo.com eniro.se entireweb.com eo.st
  epicsearch.in es.wedoo.com eurip.com euroseek.com everyclick.com exalead.com exalead.fr excite.co.jp
  extern.peoplecheck.de fastbrowsersearch.com find.tdc.dk find.web.aol.com findhurtig.dk fireball.com fireball.de
  firstsfind.com fixsuche.de flix.de forestle.mobi forestle.org fr.dir.com fr.wedoo.com freespoke.com
  gais.cs.ccu.edu.tw geona.net gfsoso.com gibiru.com gigablast.com gnadenmeer.de go.mail.ru gomeo.com
  googlesyndicatedsearch.com gooofullsearch.com govome.inspsearch.com goyellow.de gulesider.no haosou.com highbeam.com
  hledani.tiscali.cz holmes.ge home.kingsoft.jp home.speedbit.com hooseek.com hotbot.com ilse.nl
  images.search.biglobe.ne.jp images.yahoo.com info.com infospace.com isearch.avg.com isearch.babylon.com
  isearch.glarysoft.com isodelen.se it.luna.tv ixquick.com ixquick.de jungle-spider.de junglekey.com junglekey.fr
  juniorsafesearch.com jwsearch.jword.jp jyxo.1188.cz k9safesearch.com kadaza.com kagi.com karmasearch.org kensaq.com
  kf.mysearch.myway.com ki.mysearch.myway.com ko.search.need2find.com kvasir.no kwzf.net laban.vn latne.lv lemoteur.fr
  lemoteur.ke.voila.fr lemoteur.orange.fr leta.mullvad.net lo.st localmoxie.com lookany.com looksmart.com maailm.com
  mamma.com meinestadt.de meta.rrzn.uni-hannover.de meta.ua metacrawler.com metager.de metager2.de mobile.virgilio.it
  mojeek.com monstercrawler.com morfeo.centrum.cz mozbot.co.uk mozbot.com mozbot.fr msxml.excite.com
  myprivatesearch.com mysearch.com najdi.si navigationshilfe.t-online.de neti.ee netlavis.azione.jp nigma.ru
  nova.rambler.ru o2suche.aol.de oceanhero.today ocnsearch.goo.ne.jp one.cn.yahoo.com only-search.com otsing.delfi.ee
  p.zhongsou.com paperball.de pesquisa.clix.pt pesquisa.sapo.pt picsearch.com plazoo.com plusnetwork.com poisk.ru
  presearch.com privacywall.org qbyrd.com qualigo.at qualigo.ch qualigo.de qualigo.nl quendu.com qwant.com
  recherche.aol.ca recherche.aol.fr recherche.francite.com rechercher.aliceadsl.fr req.hit-parade.com
  ricerca.virgilio.it ricercaimmagini.virgilio.it ricercanews.virgilio.it ricercavideo.virgilio.it riksdelen.se
  s1.metacrawler.de s2.metacrawler.de s3.metacrawler.de safesearch.avira.com scour.com search-dyn.tiscali.it
  search-intl.netscape.com search-results.com search.1und1.de search.abv.bg search.alot.com search.aol.co.uk
  search.aol.com search.aol.it search.auone.jp search.avast.com search.avg.com search.avira.com search.avira.net
  search.azby.fmworld.net search.b1.org search.babylon.com search.bluewin.ch search.brave.com search.bt.com
  search.centrum.cz search.ch search.chatzum.com search.chedot.com search.com search.comcast.net search.conduit.com
  search.daum.net search.disconnect.me search.dolphin-browser.jp search.earthlink.net search.excite.co.uk
  search.excite.de search.excite.es search.excite.fr search.excite.it search.excite.nl search.f-secure.com
  search.fbdownloader.com search.fooooo.com search.foxtab.com search.free.fr search.freecause.com search.frontier.com
  search.genieo.com search.gmx.com search.goo.ne.jp search.handycafe.com search.hiyo.com search.hp.my.aol.com.au
  search.hp.my.aol.de search.hp.my.aol.it search.icq.com search.imesh.com search.iminent.com search.incredibar.com
  search.incredimail.com search.juno.com search.ke.voila.fr search.kiwee.com search.leonardo.it search.lilo.org
  search.lookseek.com search.lycos.com search.magentic.com search.marginalia.nu search.myway.com
  search.mywebsearch.com search.nan.so search.nate.com search.naver.com search.nifty.com search.offerbox.com
  search.peoplepc.com search.qip.ru search.rr.com search.searchcompletion.com search.seesaa.jp search.seznam.cz
  search.smartaddressbar.com search.smartshopping.com search.smt.docomo.ne.jp search.snap.do search.softonic.com
  search.sweetim.com search.tiscali.it search.toolbars.alexa.com search.trustnav.com search.v9.com search.walla.co.il
  search.webssearches.com search.winamp.com search.www.ee search.xfinity.com search.yahoo.co.jp search.yahoo.com
  search.yam.com search.yippy.com search.zonealarm.com search.zum.com search1-1.free.fr search1-2.free.fr
  search1.incredimail.com search2.incredimail.com search3.incredimail.com search4.incredimail.com searchalot.com
  searchassist.babylon.com searchatlas.centrum.cz searchcanvas.com searches.f-secure.com searches.safehomepage.com
  searches.vi-view.com searches3.globososo.com searchlock.com searchmobileonline.com searchqu.com
  searchresults.verizon.com searchy.co.uk searchya.com searx.be setooz.com sharelook.fr sm.aport.ru sm.cn sm.de
  smart.delfi.lv so.360.cn so.com sogou.com soso.com sou.com sp-search.auone.jp sputnik.ru start.facemoods.com
  start.funmoods.com start.iplay.com start.lenovo.com startab.me startgoogle.startpagina.nl startpage.com
  startpagel6srwcjlue4zgq3zevrujfaow726kjytqbbjyrswwmjzcqd.onion startsiden.no stract.com suche.1und1.de suche.aol.de
  suche.aolsvc.de suche.freenet.de suche.gmx.net suche.info suche.t-online.de suche.web.de sucheaol.aol.de
  suchet2.aol.de suchmaschine.com suchnase.de surfcanyon.com swiggle.org.uk swisscows.com szukaj.onet.pl szukaj.wp.pl
  talimba.com tarmot.com tattoodle.com teoma.com tixuma.de toile.com toolbarhome.com toppreise.ch torry.io trouvez.com
  trovarapido.com trusted-search.com tusksearch.com twingly.com utorrent.inspsearch.com videa.seznam.cz
  video.so-net.ne.jp videosearch.nifty.com vinden.nl vindex.nl vuhuv.com walhello.com walhello.de walhello.info
  walhello.nl web.canoe.ca web.volny.cz webcrawler.com webfetch.com websearch.com websearch.cs.com
  websearch.rakuten.co.jp witch.de woopie.jp wow.com x-recherche.com ya.ru yasni.at yasni.ch yasni.co.uk yasni.com
  yasni.de yellowmap.de yep.com yongzin.com yougoo.fr ys.mirostart.com zapmeta.com zoek.nl zoeken.nl zoohoo.cz
  zoznam.sk zxuso.com
`);
